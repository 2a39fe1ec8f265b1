<?php
session_start();
require __DIR__ . '/db.php';

$stmt = $pdo->prepare('SELECT id, hash FROM user WHERE email = ?');
$stmt->execute([$_POST['email'] ?? '']);
$user = $stmt->fetch(PDO::FETCH_ASSOC);

if ($user === false || !password_verify($_POST['password'] ?? '', $user['hash'])) {
    http_response_code(401);
    exit('Wrong email or password');
}

$_SESSION['user_id'] = $user['id'];
header('Location: /home.php');
exit;
