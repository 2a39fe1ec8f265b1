<?php

namespace Bistro\Controller;

use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;

final class MenuCardController
{
    private const FOLDER = '/srv/bistro/cards/';

    public function show(Request $request): Response
    {
        $card = (string) $request->query->get('card', 'today.txt');
        $path = self::FOLDER . basename($card);
        if (!is_file($path)) {
            return new Response('No such card', 404, ['Content-Type' => 'text/plain']);
        }
        $text = file_get_contents($path);

        return new Response($text, 200, ['Content-Type' => 'text/plain; charset=utf-8']);
    }
}
