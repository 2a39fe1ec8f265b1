<?php

declare(strict_types=1);

require __DIR__ . '/../lib/database.php';

session_start(['cookie_secure' => true, 'cookie_httponly' => true]);

if (!isset($_SESSION['account_id'])) {
    header('Location: /sign-in', true, 303);
    exit;
}

$message = '';

if ($_SERVER['REQUEST_METHOD'] === 'POST') {
    $mail = filter_input(INPUT_POST, 'mail', FILTER_VALIDATE_EMAIL);
    if (is_string($mail)) {
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
    <label>New address <input type="email" name="mail" required></label>
    <button>Save</button>
  </form>
</body>
</html>
