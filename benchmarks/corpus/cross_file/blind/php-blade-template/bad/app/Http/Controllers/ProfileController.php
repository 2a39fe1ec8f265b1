<?php

namespace App\Http\Controllers;

use Illuminate\Http\Request;

class ProfileController extends Controller
{
    public function show(Request $request)
    {
        $bio = $request->query('bio');
        return view('profile.show', ['bio' => $bio]);
    }
}
