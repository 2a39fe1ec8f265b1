<?php

namespace App\Http\Controllers;

use GuzzleHttp\Client;
use GuzzleHttp\Exception\GuzzleException;
use Illuminate\Http\JsonResponse;
use Illuminate\Http\Request;

class UnfurlController extends Controller
{
    public function __construct(private Client $client)
    {
        $this->middleware('auth');
    }

    public function __invoke(Request $request): JsonResponse
    {
        $link = (string) $request->query('link');
        try {
            $page = $this->client->get($link, ['timeout' => 4])->getBody()->getContents();
        } catch (GuzzleException $e) {
            return response()->json(['error' => 'not reachable'], 502);
        }
        preg_match('/<title>([^<]{1,200})</', $page, $m);
        return response()->json(['title' => $m[1] ?? '']);
    }
}
