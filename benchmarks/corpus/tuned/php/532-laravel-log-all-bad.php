<?php

namespace App\Http\Controllers\Auth;

use Illuminate\Http\Request;
use Illuminate\Support\Facades\Auth;
use Illuminate\Support\Facades\Log;

class SignInController
{
    public function store(Request $request)
    {
        $fields = $request->only('email', 'password');
        if (!Auth::attempt($fields)) {
            Log::warning('sign-in refused', $fields);
            return back()->withErrors(['email' => 'Wrong email or password']);
        }
        $request->session()->regenerate();
        return redirect()->intended('/');
    }
}
