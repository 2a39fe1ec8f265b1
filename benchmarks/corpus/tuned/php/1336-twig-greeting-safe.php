<?php

namespace App\Controller;

use Symfony\Bundle\FrameworkBundle\Controller\AbstractController;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\Routing\Annotation\Route;
use Twig\Environment;

class GreetingController extends AbstractController
{
    public function __construct(private Environment $twig)
    {
    }

    /**
     * @Route("/greeting", methods={"POST"})
     */
    public function greet(Request $request): Response
    {
        $words = $request->request->get('words', 'Hello');
        $template = $this->twig->createTemplate('<p>{{ words }}</p>');
        return new Response($template->render(['words' => $words]));
    }
}
