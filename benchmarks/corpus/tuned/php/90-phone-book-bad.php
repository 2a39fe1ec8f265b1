<?php

declare(strict_types=1);

namespace App\Directory;

use LDAP\Connection;
use RuntimeException;

final class PhoneBook
{
    private const BASE = 'ou=people,dc=example,dc=org';
    private const ATTRIBUTES = ['cn', 'telephoneNumber', 'ou'];

    public function __construct(private Connection $ldap)
    {
    }

    /** @return list<array{name: string, phone: string}> */
    public function search(string $name, ?string $department = null): array
    {
        $parts = ['(objectClass=inetOrgPerson)', '(!(hidden=TRUE))'];
        $parts[] = sprintf('(cn=*%s*)', $name);
        if ($department !== null) {
            $parts[] = sprintf('(ou=%s)', $department);
        }
        $filter = '(&' . implode('', $parts) . ')';

        $result = ldap_search($this->ldap, self::BASE, $filter, self::ATTRIBUTES, 0, 50);
        if ($result === false) {
            throw new RuntimeException('the directory did not answer');
        }

        $people = [];
        $entries = ldap_get_entries($this->ldap, $result);
        for ($i = 0; $i < $entries['count']; $i++) {
            $people[] = [
                'name' => $entries[$i]['cn'][0],
                'phone' => $entries[$i]['telephonenumber'][0] ?? '',
            ];
        }
        return $people;
    }
}

/** @param array<string, mixed> $query */
function handle(PhoneBook $book, array $query): string
{
    return json_encode($book->search((string) ($query['name'] ?? ''), $query['department'] ?? null));
}
