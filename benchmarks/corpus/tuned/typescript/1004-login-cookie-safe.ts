import { CookieOptions, json, Router } from "express";
import { loginLimiter } from "./limits";
import { openSession, verifyLogin } from "./accounts";

const EIGHT_HOURS = 8 * 60 * 60 * 1000;

const cookieOptions: CookieOptions = {
  secure: true,
  httpOnly: true,
  sameSite: "strict",
  path: "/",
  maxAge: EIGHT_HOURS,
};

export const auth = Router();
auth.use(json({ limit: "4kb" }));

auth.post("/login", loginLimiter, async (req, res, next) => {
  try {
    const user = await verifyLogin(String(req.body.email), String(req.body.password));
    if (!user) {
      res.status(401).json({ error: "email or password is wrong" });
      return;
    }
    const session = await openSession(user.id, EIGHT_HOURS);
    res.cookie("sid", session.id, cookieOptions);
    res.status(204).end();
  } catch (err) {
    next(err);
  }
});
