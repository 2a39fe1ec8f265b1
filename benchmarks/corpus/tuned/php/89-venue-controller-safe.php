<?php

namespace App\Http\Controllers;

use App\Models\Venue;
use Illuminate\Http\JsonResponse;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\DB;

class VenueController extends Controller
{
    private const PER_PAGE = 30;

    public function index(Request $request): JsonResponse
    {
        $query = Venue::query()->where('open', true);

        if ($request->filled('town')) {
            $query->where('town', $request->input('town'));
        }

        if ($request->filled('near')) {
            $near = $request->input('near');
            $query->whereRaw('soundex(name) = soundex(?)', [$near]);
        }

        $counts = DB::table('bookings')
            ->select('venue_id', DB::raw('count(*) as bookings'))
            ->groupBy('venue_id')
            ->pluck('bookings', 'venue_id');

        $venues = $query->orderBy('name')->limit(self::PER_PAGE)->get(['id', 'name', 'town']);

        return response()->json(
            $venues->map(fn (Venue $v) => $v->toArray() + ['bookings' => $counts[$v->id] ?? 0])
        );
    }
}
