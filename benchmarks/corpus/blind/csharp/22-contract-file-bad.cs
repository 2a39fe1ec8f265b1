using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Mvc;

namespace Estate.Controllers;

[Authorize]
public class ContractController : Controller
{
    private const string Folder = "/srv/estate/contracts/";

    [HttpGet("/contracts/download")]
    public IActionResult Download(string name)
    {
        var path = Path.Combine(Folder, name);
        if (!System.IO.File.Exists(path))
        {
            return NotFound();
        }
        var content = System.IO.File.ReadAllBytes(path);
        return File(content, "application/pdf", "contract.pdf");
    }
}
