<?php

declare(strict_types=1);

const PAGES = [
    'start' => 'Getting started',
    'billing' => 'Invoices and payments',
    'contact' => 'How to reach us',
];

function menu(array $pages): string
{
    $items = '';
    foreach ($pages as $key => $title) {
        $items .= sprintf('<li><a href="?page=%s">%s</a></li>', rawurlencode($key), htmlspecialchars($title));
    }

    return '<ul>' . $items . '</ul>';
}

function requested(): string
{
    $page = $_GET['page'] ?? 'start';

    return is_string($page) && $page !== '' ? $page : 'start';
}

$page = requested();
$title = PAGES[$page] ?? 'Help';
?>
<!doctype html>
<html lang="en">
<head><title><?= htmlspecialchars($title) ?></title></head>
<body>
<nav><?= menu(PAGES) ?></nav>
<main>
<?php include __DIR__ . '/help/' . $page . '.php'; ?>
</main>
</body>
</html>
