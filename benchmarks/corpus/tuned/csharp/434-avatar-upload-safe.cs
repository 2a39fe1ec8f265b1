using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Mvc;

namespace Forum.Controllers;

[Authorize(AuthenticationSchemes = "Bearer")]
[ApiController]
[Route("api/avatar")]
public class AvatarController(IWebHostEnvironment host) : ControllerBase
{
    private const long MaxBytes = 512 * 1024;
    private static readonly HashSet<string> Extensions = [".png", ".jpg", ".webp"];

    [HttpPut]
    public async Task<IActionResult> Upload(IFormFile picture, CancellationToken stop)
    {
        if (picture.Length is 0 or > MaxBytes)
        {
            return BadRequest("The picture is empty or too large.");
        }

        var extension = Path.GetExtension(picture.FileName).ToLowerInvariant();
        if (!Extensions.Contains(extension))
        {
            return BadRequest("Only PNG, JPEG and WebP pictures.");
        }
        var name = Guid.NewGuid().ToString("N") + extension;
        var target = Path.Combine(host.WebRootPath, "avatars", name);
        await using var file = System.IO.File.Create(target);
        await picture.CopyToAsync(file, stop);
        return Ok(new { url = $"/avatars/{name}" });
    }
}
