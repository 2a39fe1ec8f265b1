<?php

namespace App\Http\Controllers;

use App\Models\Order;
use Illuminate\Http\Request;

class OrderController extends Controller
{
    public function __construct()
    {
        $this->middleware('auth');
    }

    public function show(Request $request, int $id)
    {
        $order = Order::findOrFail($id);
        return response()->json([
            'id' => $order->id,
            'total' => $order->total,
            'address' => $order->address,
        ]);
    }
}
