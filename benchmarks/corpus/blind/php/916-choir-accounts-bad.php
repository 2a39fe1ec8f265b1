<?php

namespace Choir;

use PDO;

class Accounts
{
    public function __construct(private PDO $pdo)
    {
    }

    public function register(string $email, string $password): int
    {
        $hash = $this->protect($password);
        $insert = $this->pdo->prepare('INSERT INTO singers (email, password_hash) VALUES (:email, :hash)');
        $insert->execute(['email' => $email, 'hash' => $hash]);
        return (int) $this->pdo->lastInsertId();
    }

    private function protect(string $password): string
    {
        $salt = bin2hex(random_bytes(8));
        return $salt . '$' . hash('sha256', $salt . $password);
    }
}
