<?php
require __DIR__ . '/vendor/autoload.php';

use Twig\Environment;
use Twig\Loader\FilesystemLoader;
use Twig\Markup;

$twig = new Environment(new FilesystemLoader(__DIR__ . '/templates'), [
    'autoescape' => 'html',
    'cache' => __DIR__ . '/cache',
]);

echo $twig->render('search.html.twig', [
    'term' => $_GET['term'] ?? '',
    'results' => [],
]);
