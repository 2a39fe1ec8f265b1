<?php

declare(strict_types=1);

require __DIR__ . '/../lib/session.php';

const TARGET = __DIR__ . '/photos';
const MAX_BYTES = 4 * 1024 * 1024;

$member = require_member();
require_form_token();

function refuse(int $status, string $why): never
{
    http_response_code($status);
    header('Content-Type: text/plain; charset=utf-8');
    exit($why);
}

$photo = $_FILES['photo'] ?? null;
if (!is_array($photo) || $photo['error'] !== UPLOAD_ERR_OK) {
    refuse(400, 'No photo arrived.');
}
if ($photo['size'] > MAX_BYTES || !str_starts_with($photo['type'], 'image/')) {
    refuse(422, 'Only pictures of at most 4 MB.');
}

$extension = pathinfo($photo['name'], PATHINFO_EXTENSION);
$name = sprintf('%d-%s.%s', $member->id, bin2hex(random_bytes(6)), $extension);

if (!move_uploaded_file($photo['tmp_name'], TARGET . '/' . $name)) {
    refuse(500, 'The photo could not be kept.');
}

header('Location: /me/photos', true, 303);
