exports.readName = function readName(req) {
  return req.body.name;
};

exports.readCount = function readCount(req) {
  return Number(req.body.count);
};
