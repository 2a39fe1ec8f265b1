<?php

declare(strict_types=1);

namespace Intranet\Directory;

use LDAP\Connection;
use RuntimeException;

final class StaffDirectory
{
    private const BASE = 'ou=staff,dc=firm,dc=example';
    private const FIELDS = ['cn', 'mail', 'telephonenumber'];

    public function __construct(private readonly Connection $connection)
    {
    }

    /** @return list<array{name: string, mail: string, phone: string}> */
    public function findByName(string $name): array
    {
        $filter = sprintf('(&(objectClass=person)(visible=TRUE)(cn=%s*))', $name);
        $result = ldap_search($this->connection, self::BASE, $filter, self::FIELDS, 0, 50);
        if ($result === false) {
            throw new RuntimeException('The directory could not be searched.');
        }

        $people = [];
        $entries = ldap_get_entries($this->connection, $result);
        for ($i = 0; $i < $entries['count']; $i++) {
            $people[] = [
                'name' => $entries[$i]['cn'][0] ?? '',
                'mail' => $entries[$i]['mail'][0] ?? '',
                'phone' => $entries[$i]['telephonenumber'][0] ?? '',
            ];
        }

        return $people;
    }
}

function handle(StaffDirectory $directory): void
{
    $name = is_string($_GET['name'] ?? null) ? trim($_GET['name']) : '';
    header('Content-Type: application/json');
    echo json_encode($name === '' ? [] : $directory->findByName($name), JSON_THROW_ON_ERROR);
}
