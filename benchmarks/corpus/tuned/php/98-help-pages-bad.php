<?php

declare(strict_types=1);

session_start(['cookie_secure' => true, 'cookie_httponly' => true, 'cookie_samesite' => 'Lax']);

const PAGES = [
    'start' => 'Getting started',
    'billing' => 'Invoices and payment',
    'contact' => 'Talk to us',
];

function chosen_page(): string
{
    $page = $_GET['page'] ?? $_SESSION['last_page'] ?? 'start';
    $_SESSION['last_page'] = $page;
    return (string) $page;
}

$page = chosen_page();
$title = PAGES[$page] ?? 'Help';

header('Content-Type: text/html; charset=utf-8');
?>
<!doctype html>
<html lang="en">
<head><title><?= $title ?></title></head>
<body>
<nav>
<?php foreach (PAGES as $key => $label): ?>
  <a href="?page=<?= $key ?>"><?= $label ?></a>
<?php endforeach; ?>
</nav>
<main>
<?php include __DIR__ . '/help/' . $page . '.php'; ?>
</main>
</body>
</html>
