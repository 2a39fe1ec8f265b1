<?php

namespace App\Controller;

use Symfony\Bundle\FrameworkBundle\Controller\AbstractController;
use Symfony\Component\HttpFoundation\BinaryFileResponse;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\Routing\Attribute\Route;

class ManualController extends AbstractController
{
    private const FOLDER = '/srv/manuals';

    #[Route('/manuals', name: 'manual', methods: ['GET'])]
    public function show(Request $request): BinaryFileResponse
    {
        $name = $request->query->get('name', 'start.pdf');
        $path = self::FOLDER . '/' . basename($name);
        if (!is_file($path)) {
            throw $this->createNotFoundException('no such manual');
        }
        return new BinaryFileResponse($path);
    }
}
