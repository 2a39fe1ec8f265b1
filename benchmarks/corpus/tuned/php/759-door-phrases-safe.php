<?php

declare(strict_types=1);

namespace Access;

/** Passphrases with which the staff open the stock-room doors. */
final class PassphraseBook
{
    private const ROUNDS = 600000;

    /** @var array<string, array{salt: string, hash: string}> */
    private array $entries = [];

    public function set(string $badge, string $phrase): void
    {
        if (mb_strlen($phrase) < 12) {
            throw new \LengthException('at least twelve characters');
        }
        $salt = random_bytes(16);
        $this->entries[$badge] = ['salt' => $salt, 'hash' => $this->stretch($phrase, $salt)];
    }

    public function matches(string $badge, string $phrase): bool
    {
        $known = $this->entries[$badge] ?? null;
        return $known !== null
            && hash_equals($known['hash'], $this->stretch($phrase, $known['salt']));
    }

    private function stretch(string $phrase, string $salt): string
    {
        return hash_pbkdf2('sha256', $phrase, $salt, self::ROUNDS, 64);
    }
}
