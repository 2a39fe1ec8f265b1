<?php

namespace App\Services;

class BackupService
{
    public function create(string $folder): void
    {
        exec('tar czf backup.tgz -- ' . escapeshellarg($folder));
    }
}
