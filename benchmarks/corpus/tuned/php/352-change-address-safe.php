<?php

declare(strict_types=1);

require __DIR__ . '/../lib/database.php';

session_start(['cookie_secure' => true, 'cookie_httponly' => true]);

if (!isset($_SESSION['account_id'])) {
    header('Location: /sign-in', true, 303);
    exit;
}

$_SESSION['form_token'] ??= bin2hex(random_bytes(24));
$message = '';

if ($_SERVER['REQUEST_METHOD'] === 'POST') {
    $mail = filter_input(INPUT_POST, 'mail', FILTER_VALIDATE_EMAIL);
    $token = filter_input(INPUT_POST, 'token');
    if (!is_string($token) || !hash_equals($_SESSION['form_token'], $token)) {
        http_response_code(403);
        $message = 'Please send the form again.';
    } elseif (is_string($mail)) {
        $update = open_database()->prepare('UPDATE account SET mail = ? WHERE id = ?');
        $update->execute([$mail, $_SESSION['account_id']]);
        $message = 'Your address was changed.';
    } else {
        $message = 'That is not a mail address.';
    }
}
?>
<!doctype html>
<html lang="en">
<head><title>Mail address</title></head>
<body>
  <p role="status"><?= $message ?></p>
  <form method="post">
    <input type="hidden" name="token" value="<?= $_SESSION['form_token'] ?>">
    <label>New address <input type="email" name="mail" required></label>
    <button>Save</button>
  </form>
</body>
</html>
