<?php
declare(strict_types=1);

require __DIR__ . '/../lib/database.php';

/** @return array<int, array{author: string, message: string}> */
function latest_entries(PDO $db, int $limit): array
{
    $statement = $db->prepare(
        'SELECT author, message FROM guest_book WHERE approved = 1 ORDER BY id DESC LIMIT :n'
    );
    $statement->bindValue(':n', $limit, PDO::PARAM_INT);
    $statement->execute();
    return $statement->fetchAll(PDO::FETCH_ASSOC);
}

function e(string $text): string
{
    return htmlspecialchars($text, ENT_QUOTES | ENT_SUBSTITUTE, 'UTF-8');
}

$entries = latest_entries(open_database(), 20);
$reader = trim((string) ($_GET['reader'] ?? 'stranger'));
$greeting = sprintf('Welcome, %s!', e($reader));
?>
<!doctype html>
<html lang="en">
<head><title>Guest book</title></head>
<body>
  <h1><?= $greeting ?></h1>
  <?php foreach ($entries as $entry): ?>
    <article>
      <h2><?= e($entry['author']) ?></h2>
      <p><?= nl2br(e($entry['message'])) ?></p>
    </article>
  <?php endforeach; ?>
</body>
</html>
