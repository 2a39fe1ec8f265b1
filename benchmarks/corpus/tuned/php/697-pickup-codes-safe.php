<?php

declare(strict_types=1);

use Psr\Http\Message\ResponseInterface as Response;
use Psr\Http\Message\ServerRequestInterface as Request;
use Shop\PickupCodes;
use Slim\Factory\AppFactory;

require __DIR__ . '/../vendor/autoload.php';

$codes = new PickupCodes(getenv('PICKUP_DSN') ?: '');
$app = AppFactory::create();
$app->addBodyParsingMiddleware();

function answer(Response $response, int $status, array $body): Response
{
    $response->getBody()->write(json_encode($body));
    return $response->withStatus($status)->withHeader('Content-Type', 'application/json');
}

$app->post('/lockers/{locker}/open', function (Request $request, Response $response, array $args) use ($codes) {
    $body = (array) $request->getParsedBody();
    $expected = $codes->current((string) $args['locker']);
    if ($expected === null || !$codes->allowAttempt((string) $args['locker'])) {
        return answer($response, 404, ['error' => 'nothing to collect']);
    }
    $code = $body['code'] ?? '';
    if (!is_string($code) || !hash_equals($expected, $code)) {
        return answer($response, 403, ['error' => 'wrong code']);
    }
    $codes->open((string) $args['locker']);
    return answer($response, 200, ['open' => true]);
});

$app->run();
