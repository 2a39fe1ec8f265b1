using Microsoft.AspNetCore.Mvc;
using Tools.Checks;
using Tools.Running;

namespace Tools.Controllers;

public class ToolController : Controller
{
    private readonly Runner _runner = new Runner();

    [HttpPost]
    public IActionResult Start(string tool)
    {
        Guard.Tool(tool);
        _runner.Start(tool);
        return Accepted();
    }
}
