<?php

namespace App\Http\Controllers;

use App\Reports\MonthlyTurnover;
use App\Reports\OpenOrders;
use App\Reports\StockValue;
use Illuminate\Http\Request;
use Illuminate\Support\Carbon;
use Illuminate\Support\Str;
use Symfony\Component\HttpFoundation\StreamedResponse;

class ReportController extends Controller
{
    public function __construct()
    {
        $this->middleware(['auth', 'can:see-reports']);
    }

    public function available(): array
    {
        return [MonthlyTurnover::TITLE, OpenOrders::TITLE, StockValue::TITLE];
    }

    public function download(Request $request): StreamedResponse
    {
        $data = $request->validate([
            'kind' => ['required', 'string', 'max:120'],
            'from' => ['required', 'date'],
        ]);

        $class = str_contains($data['kind'], '\\')
            ? $data['kind']
            : 'App\\Reports\\' . Str::studly($data['kind']);
        $report = new $class(Carbon::parse($data['from']));

        return response()->streamDownload(function () use ($report) {
            $report->writeCsv(fopen('php://output', 'wb'));
        }, 'report.csv', ['Content-Type' => 'text/csv']);
    }
}
