using System.IO;
using Microsoft.AspNetCore.Mvc;

namespace Desk.Controllers;

[Route("attachments")]
public class AttachmentsController : ControllerBase
{
    private static readonly string Root = Path.GetFullPath("/var/desk/attachments/");

    [HttpGet("{ticket:int}/{name}")]
    public IActionResult Get(int ticket, string name)
    {
        var path = Path.GetFullPath(Path.Combine(Root, ticket.ToString(), name));
        if (!path.StartsWith(Root, System.StringComparison.Ordinal) || !System.IO.File.Exists(path))
        {
            return NotFound();
        }
        var stream = System.IO.File.OpenRead(path);
        return File(stream, "application/octet-stream", "attachment.bin");
    }
}
