import { Router, Request, Response } from 'express';
import { createUserService } from './services';

const router = Router();
const users = createUserService();

router.get('/users', async (req: Request, res: Response) => {
  const sort = String(req.query.sort);
  res.json(await users.list(sort));
});

export { router };
