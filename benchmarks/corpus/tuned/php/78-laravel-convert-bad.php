<?php

namespace App\Http\Controllers;

use Illuminate\Http\Request;
use Illuminate\Support\Facades\Storage;

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
        exec('soffice --headless --convert-to ' . $format . ' ' . escapeshellarg($source), $out, $code);
        if ($code !== 0) {
            return response()->json(['error' => 'conversion failed'], 500);
        }
        return response()->json(['status' => 'done']);
    }
}
