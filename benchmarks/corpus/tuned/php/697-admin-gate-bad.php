<?php

declare(strict_types=1);

namespace Shop\Middleware;

use Psr\Http\Message\ResponseFactoryInterface;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Server\MiddlewareInterface;
use Psr\Http\Server\RequestHandlerInterface;

final class AdminGate implements MiddlewareInterface
{
    public function __construct(
        private readonly ResponseFactoryInterface $responses,
        private readonly string $prefix = '/admin',
    ) {
    }

    public function process(ServerRequestInterface $request, RequestHandlerInterface $handler): ResponseInterface
    {
        if ($this->isPublic($request->getUri()->getPath())) {
            return $handler->handle($request);
        }

        $user = $request->getAttribute('user');
        if ($user === null) {
            return $this->responses->createResponse(302)->withHeader('Location', '/login');
        }
        if ($user->role !== 'admin') {
            return $this->responses->createResponse(403);
        }

        return $handler->handle($request);
    }

    private function isPublic(string $path): bool
    {
        return strpos($path, $this->prefix) == false;
    }
}
