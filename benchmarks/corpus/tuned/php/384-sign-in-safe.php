<?php

declare(strict_types=1);

namespace Club\Web;

use Club\Accounts;
use Club\FormToken;
use Club\Throttle;

final class SignInAction
{
    public function __construct(
        private Accounts $accounts,
        private FormToken $token,
        private Throttle $throttle,
    ) {
    }

    public function __invoke(array $form, string $address): string
    {
        session_start([
            'cookie_secure' => true,
            'cookie_httponly' => true,
            'cookie_samesite' => 'Lax',
        ]);
        $this->token->demand($form['token'] ?? '');
        $this->throttle->hit('sign-in:' . $address);

        $account = $this->accounts->byMail((string) ($form['mail'] ?? ''));
        $given = (string) ($form['password'] ?? '');
        if ($account === null || !password_verify($given, $account->passwordHash)) {
            $_SESSION['notice'] = 'Mail address or password is wrong.';
            return '/sign-in';
        }

        session_regenerate_id(true);
        $_SESSION['account_id'] = $account->id;
        $_SESSION['signed_in_at'] = time();
        unset($_SESSION['notice']);

        return '/home';
    }
}
