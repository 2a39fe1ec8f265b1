<?php

namespace App\Http\Controllers;

use Illuminate\Http\JsonResponse;
use Illuminate\Http\Request;
use Illuminate\Http\UploadedFile;
use Illuminate\Support\Str;

class PortraitController extends Controller
{
    private const EXTENSIONS = ['image/png' => 'png', 'image/jpeg' => 'jpg'];

    public function __construct()
    {
        $this->middleware('auth');
    }

    public function store(Request $request): JsonResponse
    {
        $request->validate([
            'portrait' => ['required', 'file', 'mimetypes:image/png,image/jpeg', 'max:2048'],
        ]);

        $name = $this->keep($request->file('portrait'));
        $member = $request->user();
        $member->portrait = $name;
        $member->save();

        return response()->json(['portrait' => asset('portraits/' . $name)]);
    }

    private function keep(UploadedFile $file): string
    {
        $extension = self::EXTENSIONS[$file->getMimeType()] ?? abort(422);
        $name = Str::uuid() . '.' . $extension;
        $file->move(public_path('portraits'), $name);

        return $name;
    }
}
