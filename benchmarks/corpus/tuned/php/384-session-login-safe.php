<?php

declare(strict_types=1);

namespace Library\Auth;

use PDO;

final class SessionLogin
{
    public function __construct(
        private readonly PDO $db,
        private readonly AttemptLimiter $limiter,
        private readonly string $dummyHash,
    ) {
    }

    public function login(string $card, string $password): bool
    {
        if (!$this->limiter->allows($card)) {
            return false;
        }

        $statement = $this->db->prepare('SELECT id, password_hash FROM readers WHERE card_number = :card');
        $statement->execute(['card' => $card]);
        $reader = $statement->fetch(PDO::FETCH_ASSOC);

        $valid = password_verify($password, $reader['password_hash'] ?? $this->dummyHash);
        if (!$valid || $reader === false) {
            $this->limiter->failed($card);

            return false;
        }

        session_regenerate_id(true);
        $_SESSION['reader_id'] = (int) $reader['id'];
        $_SESSION['since'] = time();

        return true;
    }

    public function logout(): void
    {
        $_SESSION = [];
        session_destroy();
    }
}
