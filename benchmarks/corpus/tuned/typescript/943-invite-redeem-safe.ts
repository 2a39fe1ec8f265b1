import { json, Router } from "express";
import { MongoClient } from "mongodb";

interface RedeemBody {
  code: unknown;
  email: unknown;
}

const client = new MongoClient(process.env.MONGO_URL ?? "mongodb://127.0.0.1:27017");
const invites = client.db("events").collection("invites");

export const router = Router();
router.use(json({ limit: "8kb" }));

router.post("/invites/redeem", async (req, res, next) => {
  const { code, email } = req.body as RedeemBody;
  if (typeof code !== "string" || typeof email !== "string") {
    res.status(400).json({ error: "code and email are needed" });
    return;
  }
  try {
    const filter = { code: { $eq: code }, email: { $eq: email }, redeemed: false };
    const invite = await invites.findOneAndUpdate(filter, { $set: { redeemed: true } });
    if (!invite) {
      res.status(404).json({ error: "unknown or used invitation" });
      return;
    }
    res.json({ event: invite.event, seat: invite.seat });
  } catch (err) {
    next(err);
  }
});
