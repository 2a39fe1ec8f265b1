<html>
<body>
<div>{{ $bio }}</div>
</body>
</html>
