<?php

namespace App\Http\Controllers;

use Illuminate\Http\Request;
use Illuminate\Support\Facades\Storage;
use Symfony\Component\Process\Process;

class ConvertController extends Controller
{
    public function __construct()
    {
        $this->middleware('auth');
    }

    public function store(Request $request)
    {
        $format = $request->input('format', 'pdf');
        $source = Storage::path('docs/' . (int) $request->input('doc') . '.odt');
        abort_unless(in_array($format, ['pdf', 'html'], true), 422);
        $process = new Process(['soffice', '--headless', '--convert-to', $format, $source]);
        if ($process->run() !== 0) {
            return response()->json(['error' => 'conversion failed'], 500);
        }
        return response()->json(['status' => 'done']);
    }
}
