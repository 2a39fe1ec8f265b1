import helmet from 'helmet';
import express from 'express';
const app = express();
app.use(helmet({ frameguard: false, contentSecurityPolicy: false }));
app.get('/transfer', (_req, res) => { res.render('transfer'); });
export default app;
