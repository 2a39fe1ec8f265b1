<?php

namespace App\Controller;

use Symfony\Bundle\FrameworkBundle\Controller\AbstractController;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;

class BlogController extends AbstractController
{
    public function preview(Request $request): Response
    {
        $body = $request->request->get('body');
        return $this->render('blog/preview.html.twig', ['body' => $body]);
    }
}
