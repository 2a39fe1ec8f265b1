<?php
declare(strict_types=1);

final class DownloadLink
{
    public function __construct(private string $key)
    {
    }

    public function make(int $file, int $until): string
    {
        return "/download?file=$file&until=$until&sig=" . $this->sign($file, $until);
    }

    public function valid(int $file, int $until, string $sig): bool
    {
        return $until > time() && hash_equals($this->sign($file, $until), $sig);
    }

    private function sign(int $file, int $until): string
    {
        return md5($this->key . $file . $until);
    }
}
