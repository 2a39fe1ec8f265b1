<?php

namespace App\Http\Controllers;

use App\Models\Invoice;
use Illuminate\Http\Request;

class InvoiceController extends Controller
{
    public function __construct()
    {
        $this->middleware('auth');
    }

    public function destroy(Request $request, Invoice $invoice)
    {
        $invoice->delete();
        return redirect()->route('invoices.index');
    }
}
