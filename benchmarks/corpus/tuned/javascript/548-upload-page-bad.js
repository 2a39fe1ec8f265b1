const express = require('express');
const app = express();
app.use(express.static('/srv/site'));
app.use('/uploads', require('serve-index')('/srv/uploads', { icons: true }));
app.get('/', (req, res) => res.send('ok'));
app.listen(3000);
