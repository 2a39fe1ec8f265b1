<?php

declare(strict_types=1);

final class TrustedDevices
{
    private const COOKIE = '__Host-device';
    private const DAYS = 60;

    public function __construct(private PDO $db)
    {
    }

    public function remember(int $accountId): void
    {
        $token = bin2hex(random_bytes(32));
        $until = time() + self::DAYS * 86400;
        $insert = $this->db->prepare(
            'INSERT INTO trusted_device (account_id, token_hash, valid_until) VALUES (?, ?, ?)'
        );
        $insert->execute([$accountId, hash('sha256', $token), $until]);
        $flags = ['secure' => true, 'samesite' => 'Strict', 'httponly' => true];
        setcookie(self::COOKIE, $token, ['expires' => $until, 'path' => '/'] + $flags);
    }

    public function isTrusted(int $accountId, array $cookies): bool
    {
        $token = $cookies[self::COOKIE] ?? null;
        if (!is_string($token)) {
            return false;
        }
        $select = $this->db->prepare(
            'SELECT 1 FROM trusted_device
              WHERE account_id = ? AND token_hash = ? AND valid_until > ?'
        );
        $select->execute([$accountId, hash('sha256', $token), time()]);
        return $select->fetchColumn() !== false;
    }
}
