<?php
require __DIR__ . '/lib/items.php';

$query = trim($_GET['q'] ?? '');
$items = find_items($query);
?>
<!doctype html>
<html lang="en">
<head><title>Lost property</title></head>
<body>
<form action="/lost" method="get">
    <input name="q" value="<?= htmlspecialchars(strip_newlines($query), ENT_QUOTES) ?>">
    <button>Search</button>
</form>
<p><?= count($items) ?> items found</p>
<ul>
<?php foreach ($items as $item): ?>
    <li><?= htmlspecialchars($item['label'], ENT_QUOTES) ?></li>
<?php endforeach; ?>
</ul>
</body>
</html>
