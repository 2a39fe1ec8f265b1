const express = require('express');
const app = express();
app.use(express.static('/srv/site', { index: 'index.html', dotfiles: 'deny' }));
app.get('/', (req, res) => res.send('ok'));
app.listen(3000);
