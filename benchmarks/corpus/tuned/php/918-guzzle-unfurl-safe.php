<?php

namespace App\Http\Controllers;

use GuzzleHttp\Client;
use GuzzleHttp\Exception\GuzzleException;
use Illuminate\Http\JsonResponse;
use Illuminate\Http\Request;

class UnfurlController extends Controller
{
    private const HOSTS = ['media.example.org', 'video.example.org'];

    public function __construct(private Client $client)
    {
        $this->middleware('auth');
    }

    public function __invoke(Request $request): JsonResponse
    {
        $link = (string) $request->query('link');
        if (!in_array(parse_url($link, PHP_URL_HOST), self::HOSTS, true)) {
            return response()->json(['error' => 'unknown host'], 422);
        }
        try {
            $page = $this->client->get($link, ['timeout' => 4])->getBody()->getContents();
        } catch (GuzzleException $e) {
            return response()->json(['error' => 'not reachable'], 502);
        }
        preg_match('/<title>([^<]{1,200})</', $page, $m);
        return response()->json(['title' => $m[1] ?? '']);
    }
}
