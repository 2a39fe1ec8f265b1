<?php

namespace App\Http\Controllers;

use App\Calendar\Parser;
use Illuminate\Http\JsonResponse;
use Illuminate\Http\Request;

class CalendarImportController extends Controller
{
    private const HOSTS = ['calendar.school.example', 'dates.council.example'];

    public function store(Request $request, Parser $parser): JsonResponse
    {
        $data = $request->validate(['address' => 'required|url|max:300']);
        $parts = parse_url($data['address']);
        abort_unless(($parts['scheme'] ?? '') === 'https', 422);
        abort_unless(in_array($parts['host'] ?? '', self::HOSTS, true), 422);
        $curl = curl_init($data['address']);
        curl_setopt_array($curl, [
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT => 5,
            CURLOPT_FOLLOWLOCATION => false,
        ]);
        $text = curl_exec($curl);
        curl_close($curl);
        if ($text === false) {
            return response()->json(['error' => 'calendar not available'], 502);
        }
        $events = $parser->events($text);
        $request->user()->events()->createMany($events);

        return response()->json(['imported' => count($events)], 201);
    }
}
