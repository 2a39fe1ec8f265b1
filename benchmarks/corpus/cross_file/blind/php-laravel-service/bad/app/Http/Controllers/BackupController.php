<?php

namespace App\Http\Controllers;

use App\Services\BackupService;
use Illuminate\Http\Request;

class BackupController extends Controller
{
    private BackupService $backups;

    public function __construct(BackupService $backups)
    {
        $this->backups = $backups;
    }

    public function store(Request $request)
    {
        $folder = $request->input('folder');
        $this->backups->create($folder);
        return response()->json(['ok' => true]);
    }
}
