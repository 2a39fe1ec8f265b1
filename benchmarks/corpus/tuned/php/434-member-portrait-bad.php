<?php

namespace App\Http\Controllers;

use Illuminate\Http\JsonResponse;
use Illuminate\Http\Request;
use Illuminate\Http\UploadedFile;

class PortraitController extends Controller
{
    public function __construct()
    {
        $this->middleware('auth');
    }

    public function store(Request $request): JsonResponse
    {
        $request->validate([
            'portrait' => ['required', 'file', 'max:2048'],
        ]);

        $name = $this->keep($request->file('portrait'));
        $member = $request->user();
        $member->portrait = $name;
        $member->save();

        return response()->json(['portrait' => asset('portraits/' . $name)]);
    }

    private function keep(UploadedFile $file): string
    {
        $name = bin2hex(random_bytes(8)) . '-' . basename($file->getClientOriginalName());
        $file->move(public_path('portraits'), $name);

        return $name;
    }
}
