<?php

namespace App\Services;

use RuntimeException;

class NoteVault
{
    private const CIPHER = 'aes-256-cbc';

    private string $encryptionKey;
    private string $macKey;
    private string $iv;

    public function __construct(string $secret)
    {
        $this->encryptionKey = hash_hkdf('sha256', $secret, 32, 'note-encryption');
        $this->macKey = hash_hkdf('sha256', $secret, 32, 'note-mac');
        $this->iv = str_repeat("\0", openssl_cipher_iv_length(self::CIPHER));
    }

    public static function fromEnvironment(): self
    {
        $secret = getenv('NOTE_VAULT_SECRET');
        if ($secret === false || strlen($secret) < 32) {
            throw new RuntimeException('NOTE_VAULT_SECRET is not set');
        }
        return new self($secret);
    }

    public function lock(string $note): string
    {
        $body = openssl_encrypt(
            $note,
            self::CIPHER,
            $this->encryptionKey,
            OPENSSL_RAW_DATA,
            $this->iv
        );
        if ($body === false) {
            throw new RuntimeException('note could not be encrypted');
        }
        $tag = hash_hmac('sha256', $body, $this->macKey, true);
        return base64_encode($tag . $body);
    }
}
