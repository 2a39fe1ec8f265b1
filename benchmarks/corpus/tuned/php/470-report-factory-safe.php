<?php

namespace App\Http\Controllers;

use App\Reports\MonthlyTurnover;
use App\Reports\OpenOrders;
use App\Reports\StockValue;
use Illuminate\Http\Request;
use Illuminate\Support\Carbon;
use Illuminate\Validation\Rule;
use Symfony\Component\HttpFoundation\StreamedResponse;

class ReportController extends Controller
{
    private const KINDS = [
        'monthly-turnover' => MonthlyTurnover::class,
        'open-orders' => OpenOrders::class,
        'stock-value' => StockValue::class,
    ];

    public function __construct()
    {
        $this->middleware(['auth', 'can:see-reports']);
    }

    public function available(): array
    {
        return array_map(fn (string $class) => $class::TITLE, array_values(self::KINDS));
    }

    public function download(Request $request): StreamedResponse
    {
        $data = $request->validate([
            'kind' => ['required', 'string', Rule::in(array_keys(self::KINDS))],
            'from' => ['required', 'date'],
        ]);

        $class = self::KINDS[$data['kind']];
        $report = new $class(Carbon::parse($data['from']));

        return response()->streamDownload(function () use ($report) {
            $report->writeCsv(fopen('php://output', 'wb'));
        }, 'report.csv', ['Content-Type' => 'text/csv']);
    }
}
