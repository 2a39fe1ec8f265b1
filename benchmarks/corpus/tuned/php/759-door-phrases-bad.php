<?php

declare(strict_types=1);

namespace Access;

/** Passphrases with which the staff open the stock-room doors. */
final class PassphraseBook
{
    private const ROUNDS = 600000;

    /** @var array<string, string> */
    private array $entries = [];

    public function set(string $badge, string $phrase): void
    {
        if (mb_strlen($phrase) < 12) {
            throw new \LengthException('at least twelve characters');
        }
        $this->entries[$badge] = $this->stretch($phrase);
    }

    public function matches(string $badge, string $phrase): bool
    {
        $known = $this->entries[$badge] ?? null;
        return $known !== null && hash_equals($known, $this->stretch($phrase));
    }

    private function stretch(string $phrase): string
    {
        return hash_pbkdf2('sha256', $phrase, '', self::ROUNDS, 64);
    }
}
