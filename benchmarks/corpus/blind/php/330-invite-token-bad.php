<?php

namespace Club\Invites;

use DateTimeImmutable;
use Doctrine\DBAL\Connection;

class InviteIssuer
{
    public function __construct(private Connection $connection)
    {
    }

    public function issue(string $email): string
    {
        $token = sha1(uniqid((string) mt_rand(), true));
        $this->connection->insert('invites', [
            'email' => $email,
            'token' => hash('sha256', $token),
            'colour' => mt_rand(0, 5),
            'expires_at' => (new DateTimeImmutable('+2 days'))->format('Y-m-d H:i:s'),
        ]);

        return 'https://club.example/join?token=' . $token;
    }
}
